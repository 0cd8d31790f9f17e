"""The console: pages on the control port that show what a served sandbox does, and forms that steer it."""
