import type { Rows, SqlStep, Transaction } from './transaction.ts'

/** Runs a transaction synchronously. */
export function runSync<T>(plan: Transaction<T>, run: (step: SqlStep) => Rows): T {
  let state = plan.next()
  while (!state.done) {
    const step = state.value
    let rows: Rows
    try {
      rows = run(step)
    } catch (error) {
      throw transactionError(plan, error)
    }
    state = plan.next(rows)
    if (step.alone === true && !state.done) throw goesOnAfter(step)
  }
  return state.value
}

export async function runAsync<T>(
  plan: Transaction<T>,
  run: (step: SqlStep) => Promise<Rows>
): Promise<T> {
  let state = plan.next()
  while (!state.done) {
    const step = state.value
    let rows: Rows
    try {
      rows = await run(step)
    } catch (error) {
      throw transactionError(plan, error)
    }
    state = plan.next(rows)
    if (step.alone === true && !state.done) throw goesOnAfter(step)
  }
  return state.value
}

/** The error of a failed transaction: what the generator throws for it, else the driver's error. */
export function transactionError(plan: Transaction<unknown>, error: unknown): unknown {
  try {
    // PostgreSQL has aborted the transaction, so a generator that catches the error is ended.
    if (!plan.throw(error).done) plan.return(undefined)
  } catch (translated) {
    return translated
  }
  return error
}

function goesOnAfter({ sql }: SqlStep): Error {
  return new Error(`A plan goes on after a statement that was to be alone: ${sql}`)
}
