/** A style sheet says nothing to whoever imports it: the build puts it beside the script. */
declare module '*.css';
