"""What scoreboards say in most reports."""
PAGE = "the page says"
COUNTER = "check failed: counter"
