/** Faults below HTTP that can be simulated, by name. */
export const FAULTS = {
  reset: 'the connection is reset',
  empty: 'the connection is closed without a response',
  garbage: 'the headers are correct, the body is random bytes, and the connection is closed',
  truncate: 'the headers are correct, half of the body is sent, and the connection is closed',
  hang: 'no response is sent',
  timeout: 'no response is sent'
} as const

export type FaultName = keyof typeof FAULTS

export function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

const SILENT: readonly FaultName[] = ['reset', 'empty', 'hang', 'timeout']

/** Whether the fault keeps the connection open without a response. */
export function isHanging(fault: FaultName | undefined): boolean {
  return fault === 'hang' || fault === 'timeout'
}

/** Whether the fault sends no response headers. */
export function isSilent(fault: FaultName | undefined): boolean {
  return fault !== undefined && SILENT.includes(fault)
}
