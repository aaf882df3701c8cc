export { expectedUnits, isNews, type OperationCost } from "./operation-costs/cost.js";
export {
  type CostReport,
  MAX_OPERATIONS,
  mergeCosts,
  newestCosts,
  type OperationCostsDocument,
  restoreCosts,
} from "./operation-costs/document.js";
export { applyObservations, type CostObservations, followedBy, observeCost } from "./operation-costs/observations.js";
export { isCostKey, parseOperationCosts } from "./operation-costs/parse-operation-costs.js";
