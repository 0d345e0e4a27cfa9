/**
 * What `schemaDigest` says of a database that the migrations up to a version have made: the texts of its tables, indexes,
 * views and triggers. A test holds the two alike. It stands here and not in the database alone, whose own note changes
 * with whoever changes the schema.
 */
export const schemaDigests: ReadonlyMap<number, string> = new Map([
  [1, '5f3a45926f664a1058d5139125fc16efcfc8e14a0074cdbac939177ea072f20b'],
  [2, '4edb5c70fb7441251fae90b1b777518fcc39a4493bd67992a984964bf2f46a90'],
  [3, '8ad0d2f945f076028f28ab21cfe91878ca6f361ddce0023d305256ed608b7760'],
  [4, 'da1a4bf4bb05de1503c7f7c69337cc771791fa247758f5d0268d85c0aed066d9'],
  [5, '3505eb26e2fdf278ee43bca03cad5adb134b6325ee46c2f2e73f46dd35fc4786'],
  [6, 'f69c9679fac4090efd63ab4d3698c994442b2a09a2d246e13938351365d5bc24'],
  [7, '8a96ef1d5df02b31719398b47ace976235f48b2196ebc1789b03f2d22319fd7e'],
  [8, '96aab32bc9c58f8edbaa617134bb6c4a1e65bcdfd10b8227b48318e682fcf749'],
  [9, '047427e21c5d54452a63097465805915cc34f160d067492842579857eb25ca15'],
  [10, 'ec09ea455bab45740ff9e4c233208134a46db27f6195ec0f23bef819f66da8b1'],
  [11, '6964723b7f9b322d57c500eae4816afc0ae07485b13c2991e0914e50444a7e43'],
]);
