#!/bin/sh
# The command of the table that was installed with ./play install.
export TABLETOP_CONFIG="${TABLETOP_CONFIG-/var/lib/tabletop/table.toml}"
export LG_WD="${LG_WD-/var/lib/tabletop}"
exec /opt/tabletop/.venv/bin/python -P -m tabletop "$@"
