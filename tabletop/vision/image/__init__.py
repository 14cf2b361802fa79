"""Pictures before anything is recognised in them: opened, rectified, checked for glare."""
