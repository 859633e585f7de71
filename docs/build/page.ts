/** A page as Markdown; `section` and `group` say where the navigation has it, `summary` what it is about. */
export interface Page {
  readonly path: string
  readonly title: string
  readonly summary: string
  readonly section: string
  readonly group?: string
  readonly order?: number
  readonly text: string
  /** Front matter for VitePress. */
  readonly options?: Readonly<Record<string, unknown>>
}
