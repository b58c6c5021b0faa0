// Preloaded into every server under test: reports CPU time and memory on each message.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicroseconds: user + system, residentBytes: process.memoryUsage.rss() })
})
// The IPC channel alone must not keep a server running.
process.channel?.unref()
