import type { Socket } from 'node:net'

/** Maximum time a connection stays open without a response. */
const MAX_HANG_MS = 600_000

/** Connections that get no response on purpose, until the client or a stop of the service ends them. */
export interface Hanging {
  keep: (socket: Socket) => void
  close: () => void
}

export function createHanging(): Hanging {
  const sockets = new Set<Socket>()
  let isOpen = true
  return {
    keep(socket) {
      if (!isOpen) socket.destroy()
      // A destroyed socket may have emitted its last event.
      if (socket.destroyed) return
      const timer = setTimeout(() => socket.destroy(), MAX_HANG_MS).unref()
      sockets.add(socket)
      socket.once('close', () => {
        clearTimeout(timer)
        sockets.delete(socket)
      })
    },
    close() {
      isOpen = false
      for (const socket of sockets) socket.destroy()
    }
  }
}
