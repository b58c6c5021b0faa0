/** Ends with the press of a mouse button or a finger, at once if there is none. */
declare function untilReleased(): Promise<void> | undefined
