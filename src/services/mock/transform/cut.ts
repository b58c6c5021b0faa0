import type { FaultName } from '../serve/faults.ts'

/** Thrown to end an exchange before there is a response, because a rule sets a fault. */
export class Cut extends Error {
  readonly fault: FaultName

  constructor(fault: FaultName) {
    super(`fault ${fault} set by a rule`)
    this.fault = fault
  }
}
