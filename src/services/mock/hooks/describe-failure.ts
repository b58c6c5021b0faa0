import { filePathOf } from '../document/reference-folders.ts'

/** Frames of nonet's own code are below those of the hook. */
const OWN_FRAME = /hook-worker\.[jt]s/
const FRAME_LOCATION = /((?:file:\/\/)?\/[^()]+?)(:\d+(?::\d+)?)\)?$/

/** File, line and column of the first frame of a stack, or of the syntax error that it begins with. */
export function locationIn(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, file = '', position] = FRAME_LOCATION.exec(line) ?? []
    if (position !== undefined) return `${filePathOf(file) ?? file}${position}`
  }
  return undefined
}

/** For the log: the message, where it was thrown, and the stack down to the hook. */
export function describeFailure(message: string, cause: unknown): string {
  const stack = typeof cause === 'string' ? cause : ''
  const location = locationIn(stack)
  if (location === undefined) return message
  const [, ...frames] = stack.split('\n').filter((line) => !line.includes('node:internal'))
  const end = frames.findIndex((frame) => OWN_FRAME.test(frame))
  const shown = end === -1 ? frames : frames.slice(0, end)
  return [`${message} (${location})`, ...shown].join('\n')
}
