/** The version of the specification that all of this follows (spec "Versioning"). */
export const specificationVersion = '1.0.0';
