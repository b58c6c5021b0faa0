/** Multiplies random cases and rounds: `NONET_TEST_EFFORT=10 npm test -- faults`. */
export const EFFORT = Number(process.env.NONET_TEST_EFFORT ?? 1)

/** A number of random cases or rounds: `usual`, or `full` for each unit of more effort. */
export function scaled(usual: number, full: number): number {
  return EFFORT > 1 ? full * EFFORT : usual
}
