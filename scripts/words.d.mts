export function findMetaphors(text: string): { name: string; line: number }[]
export function findRiddles(text: string): { text: string; line: number }[]
