#!/bin/sh
# The command of the table that was installed with ./play install.
export TABLETOP_CONFIG="${TABLETOP_CONFIG-/var/lib/tabletop/table.toml}"
export LG_WD="${LG_WD-/var/lib/tabletop}"
# The service could not continue the games of a table that root started.
case "$(id -u) $1" in
"0 serve" | "0 setup") exec runuser -u tabletop -- "$0" "$@" ;;
esac
exec /opt/tabletop/.venv/bin/python -P -m tabletop "$@"
