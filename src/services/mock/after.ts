/** Goes on at once where there is nothing to wait for: a promise costs more than most steps. */
export function after<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
