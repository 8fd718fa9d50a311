export { isTransportFault, seededFaults, type FaultPlan } from './faults.js';
export { scriptedBehaviour } from './script.js';
export { startFakeProvider } from './start.js';
export {
  FAULTS,
  REPLY_FAULTS,
  TRANSPORT_FAULTS,
  type CallEnd,
  type FakeProvider,
  type FakeProviderOptions,
  type FakeQuestion,
  type Fault,
  type FaultKind,
  type Provider,
  type SeenCall,
  type SeenImage,
} from './types.js';
