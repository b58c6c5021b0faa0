/** Calls `next` synchronously if `value` is not a promise: a promise costs more than most steps. */
export function after<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
