import type { NotifyStep, Rows, SqlStep, Transaction } from './transaction.ts'

/** Called with each topic; they are published after the commit. */
export type OnTopic = (topic: string) => void

/** Runs a transaction synchronously; SQLite is the only engine that does. */
export function runSync<T>(
  transaction: Transaction<T>,
  run: (step: SqlStep) => Rows,
  onTopic: OnTopic = rejectTopic
): T {
  let state = nextStatement(transaction, [], onTopic)
  while (!state.done) {
    const step = state.value
    let rows: Rows
    try {
      rows = step.postgresOnly === true ? [] : run(step)
    } catch (error) {
      throw transactionError(transaction, error)
    }
    state = nextStatement(transaction, rows, onTopic)
    if (step.alone === true && !state.done) throw goesOnAfter(step)
  }
  return state.value
}

export async function runAsync<T>(
  transaction: Transaction<T>,
  run: (step: SqlStep) => Promise<Rows>,
  onTopic: OnTopic = rejectTopic
): Promise<T> {
  let state = nextStatement(transaction, [], onTopic)
  while (!state.done) {
    const step = state.value
    let rows: Rows
    try {
      rows = await run(step)
    } catch (error) {
      throw transactionError(transaction, error)
    }
    state = nextStatement(transaction, rows, onTopic)
    if (step.alone === true && !state.done) throw goesOnAfter(step)
  }
  return state.value
}

/** Continues up to the next statement or the end. */
function nextStatement<T>(
  transaction: Transaction<T>,
  rows: Rows,
  onTopic: OnTopic
): IteratorResult<SqlStep, T> {
  let state = transaction.next(rows)
  while (!state.done && isNotifyStep(state.value)) {
    onTopic(state.value.topic)
    state = transaction.next([])
  }
  return state as IteratorResult<SqlStep, T>
}

export function isNotifyStep(step: SqlStep | NotifyStep): step is NotifyStep {
  return 'topic' in step
}

function rejectTopic(topic: string): never {
  throw new Error(`Only a write notifies others: ${topic}`)
}

/** The error of a failed transaction: what the generator throws for it, else the driver's error. */
export function transactionError(transaction: Transaction<unknown>, error: unknown): unknown {
  try {
    // PostgreSQL has aborted the transaction, so a generator that catches the error is ended.
    if (!transaction.throw(error).done) transaction.return(undefined)
  } catch (translated) {
    return translated
  }
  return error
}

function goesOnAfter({ sql }: SqlStep): Error {
  return new Error(`A plan goes on after a statement that was to be alone: ${sql}`)
}
