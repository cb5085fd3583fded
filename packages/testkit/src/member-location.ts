/** Where another process finds a member: the module's URL and the name of its export. */
export interface MemberLocation {
  readonly module: string
  readonly name: string
}
