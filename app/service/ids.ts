/** What the service names with an id (decisions "Money, time, ids"); `flt` is a fault rule of the control API. */
type ServiceIdPrefix = 'cus' | 'card' | 'txn' | 'enr' | 'res' | 'req' | 'flt';

/** Makes a new opaque id of a kind; ids made later sort later. */
export type MakeId = (prefix: ServiceIdPrefix) => string;
