"""What faint tags are: places whose score and lead are too low, compared in slower ways that know more of errors."""
