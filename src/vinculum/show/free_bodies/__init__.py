"""What is drawn of free bodies in contact: pictures in space, speeds, contacts and residuals."""
