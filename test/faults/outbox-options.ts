import type { DatabaseLocation } from '../../src/kernel/database/open.ts'

/** Options of `outbox-process.ts`. */
export interface ProcessOptions {
  location: DatabaseLocation
  receiver: string
  leaseMs: number
  /** Of a delivery. */
  timeoutMs: number
}

/** Deliveries of this lane have a long time-out. */
export const PATIENT_LANE = 'patient'

/** A line for the number of waiting jobs, with which the response begins too. */
export const COUNT = '?'
