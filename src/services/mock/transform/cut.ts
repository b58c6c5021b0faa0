import type { FaultName } from '../serve/faults.ts'

/** Ends an exchange before there is an answer, because a rule wants it so. */
export class Cut extends Error {
  readonly fault: FaultName

  constructor(fault: FaultName) {
    super(`fault ${fault} set by a rule`)
    this.fault = fault
  }
}
