export { plantedAgreement, plantedOfTarget, type PlantedAgreement } from './planted-agreement.js';
export { plantedSchema, plantedSliceSchema, type Planted, type PlantedSlice } from './planted.js';
export type { PhantomsMade } from './phantom-marker.js';
export { runPhantoms, type PhantomsInput } from './stage.js';
