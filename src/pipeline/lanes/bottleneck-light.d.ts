// The build without Redis, which the plugins load; the package has types for the full one only.
declare module "bottleneck/light.js" {
  export { default } from "bottleneck";
}
