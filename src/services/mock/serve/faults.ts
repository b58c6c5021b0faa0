/** How an exchange may go wrong below HTTP, each by its name. */
export const FAULTS = {
  reset: 'the connection is reset',
  empty: 'the connection is closed without an answer',
  garbage: 'the head is right, the body is bytes without a meaning, and the connection is closed',
  truncate: 'the head is right, half of the body follows, and the connection is closed',
  hang: 'there is no answer',
  timeout: 'there is no answer'
} as const

export type FaultName = keyof typeof FAULTS

export function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

const SILENT: readonly FaultName[] = ['reset', 'empty', 'hang', 'timeout']

/** Whether not even the head of an answer is sent. */
export function isSilent(fault: FaultName | undefined): boolean {
  return fault !== undefined && SILENT.includes(fault)
}
