/** The version of the specification that this contract follows (spec "Versioning"). */
export const specificationVersion = '1.0.0';
