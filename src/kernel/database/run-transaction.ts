import type { Rows, SqlStep, Transaction } from './transaction.ts'

/** Runs a transaction synchronously. */
export function runSync<T>(transaction: Transaction<T>, run: (step: SqlStep) => Rows): T {
  let state = transaction.next()
  while (!state.done) {
    const step = state.value
    let rows: Rows
    try {
      rows = run(step)
    } catch (error) {
      throw transactionError(transaction, error)
    }
    state = transaction.next(rows)
    if (step.alone === true && !state.done) throw goesOnAfter(step)
  }
  return state.value
}

export async function runAsync<T>(
  transaction: Transaction<T>,
  run: (step: SqlStep) => Promise<Rows>
): Promise<T> {
  let state = transaction.next()
  while (!state.done) {
    const step = state.value
    let rows: Rows
    try {
      rows = await run(step)
    } catch (error) {
      throw transactionError(transaction, error)
    }
    state = transaction.next(rows)
    if (step.alone === true && !state.done) throw goesOnAfter(step)
  }
  return state.value
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
