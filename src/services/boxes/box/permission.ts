/** Permission that a request needs for a box. */
export type Permission = 'read' | 'create' | 'write' | 'manage'
