"""The 3-D page: one HTML file with everything in it. Begin with `page`; ``source/`` is its JavaScript, ``build.sh`` makes ``viewer.js``."""
