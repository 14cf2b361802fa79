#!/bin/sh
# The command of the table that was installed with ./play install.
export TABLETOP_CONFIG="${TABLETOP_CONFIG-/var/lib/tabletop/table.toml}"
exec /opt/tabletop/.venv/bin/python -P -m tabletop "$@"
