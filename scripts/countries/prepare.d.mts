export const FOLDER: string
export function prepare(today: string): Record<string, string>
