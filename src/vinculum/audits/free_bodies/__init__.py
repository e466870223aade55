"""Laws of free bodies that meet, from steps rebuilt with the user's numbers."""
