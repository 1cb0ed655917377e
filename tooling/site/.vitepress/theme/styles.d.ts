// Style sheets are bundled by Vite; an import of one has no value, unless it asks for the text.
declare module "*.css";
declare module "*?inline" {
  const text: string;
  export default text;
}
declare module "*?raw" {
  const text: string;
  export default text;
}
