"""Works on pictures before anything is recognised in them: opens and rectifies them, and checks them for glare."""
