/** A part of a multipart body. */
export interface Part {
  readonly name: string
  readonly text: string
  /** Its media type, if stated. */
  readonly type: string | undefined
  readonly isFile: boolean
}

/** The named parts of a body (RFC 7578, section 4); undefined if the body does not use the boundary of its media type. */
export function multipartOf(body: string, contentType: string): Part[] | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const [, ...parts] = `\r\n${body}`.split(new RegExp(`\\r?\\n--${escaped(boundary)}(?=--|[ \\t]*\\r?\\n)`))
  const ended = parts.findIndex((it) => it.startsWith('--'))
  return ended < 0 ? undefined : parts.slice(0, ended).flatMap(partOf)
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}

/** Ignores parts without a name. */
function partOf(part: string): Part[] {
  const [, head = '', text = ''] = /^[ \t]*((?:\r?\n[^\r\n]+)*)\r?\n\r?\n(.*)$/s.exec(part) ?? []
  const disposition = headerOf(head, 'content-disposition') ?? ''
  const [, name] = /;\s*name="([^"]*)"/i.exec(disposition) ?? /;\s*name=([^\s;"]+)/i.exec(disposition) ?? []
  if (name === undefined) return []
  const isFile = /;\s*filename\*?=/i.test(disposition)
  return [{ name: unescaped(name), text, type: headerOf(head, 'content-type'), isFile }]
}

function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`\\n${name}:[ \\t]*([^\\r\\n]*)`, 'i').exec(head)?.[1]
}

/** Decodes the escapes that browsers write in names (HTML Standard, "multipart/form-data"). */
function unescaped(name: string): string {
  return name.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"')
}
