// Preloaded into every server under test: tells its own CPU time and memory when asked.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicroseconds: user + system, residentBytes: process.memoryUsage.rss() })
})
// The channel alone must not keep a server alive.
process.channel?.unref()
