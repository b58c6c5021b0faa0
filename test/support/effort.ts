/** Multiplies random cases and rounds: `NONET_TEST_EFFORT=10 npm test -- faults`. */
export const EFFORT = Number(process.env.NONET_TEST_EFFORT ?? 1)
