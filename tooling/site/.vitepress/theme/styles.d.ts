// Style sheets are bundled by Vite; an import of one has no value.
declare module "*.css";
