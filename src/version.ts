/** This package's version; stamped from package.json when it is released. */
export const VERSION = "0.0.0";
