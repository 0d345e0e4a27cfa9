/** This version, as package.json has it. */
export const version = '0.1.0';

/** The specification that the agent speaks (spec "Versioning"). */
export const specificationVersion = '1.0.0';
