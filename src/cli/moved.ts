/** `12 rows`, or `12 rows and 3 files`. */
export function describeMoved({ rows, files }: { rows: number; files: number }): string {
  return files === 0 ? `${rows} rows` : `${rows} rows and ${files} files`
}

export function warnOfLostFiles(count: number): void {
  if (count === 0) return
  process.stderr.write(
    `${count} files that rows refer to are missing or damaged and were omitted: see nonet doctor\n`
  )
}
