/** Permission that a request needs for a box. */
export type Need = 'read' | 'create' | 'write' | 'manage'
