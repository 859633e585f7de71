import ts from 'typescript'

const { factory } = ts

/**
 * Declares each schema under its own name, and uses that name wherever the generator wrote
 * `components["schemas"]["Transfer"]`. So editors and the compiler print `Transfer`.
 */
export function namedSchemas(nodes: readonly ts.Node[]): ts.Node[] {
  const names = new Set<string>()
  const declarations: ts.Node[] = []
  const others: ts.Node[] = []
  for (const node of nodes) {
    // The generator's own names of places would clash with those of schemas.
    if (isNameOfPlace(node)) continue

    const schemas = findSchemas(node)
    if (!schemas) {
      others.push(node)
      continue
    }
    for (const schema of schemas) {
      const name = readName(schema)
      names.add(name)
      declarations.push(createDeclaration(schema, name))
    }
    others.push(withReferences(node))
  }

  const isSchema = (name: string | undefined) => name !== undefined && names.has(name)
  return [...others, ...declarations].map((node) => withNames(node, isSchema))
}

/**
 * Whether a node is the generator's own name of a schema, an alias of its place. It writes the place
 * as if it were the name of a type.
 */
function isNameOfPlace(node: ts.Node): boolean {
  if (!ts.isTypeAliasDeclaration(node) || !ts.isTypeReferenceNode(node.type)) return false
  const { typeName } = node.type
  return ts.isIdentifier(typeName) && typeName.text.startsWith("components['schemas']")
}

/** The properties of `components.schemas`, if this node declares them. */
function findSchemas(node: ts.Node): readonly ts.PropertySignature[] | undefined {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components') return undefined
  const property = node.members.find(isSchemas)
  const type = property?.type
  return type && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : []
}

function isSchemas(member: ts.TypeElement): member is ts.PropertySignature {
  return ts.isPropertySignature(member) && readName(member) === 'schemas'
}

function readName({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : ''
}

/** `export type Transfer = …`, with the description of the schema. */
function createDeclaration(schema: ts.PropertySignature, name: string): ts.Node {
  const type = schema.type ?? factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword)
  const isExported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]
  const declaration = factory.createTypeAliasDeclaration(isExported, name, undefined, type)
  return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(schema))
}

/**
 * The interface `components` in which each schema is only named: `Transfer: Transfer`. Other nodes
 * stay as they are.
 */
function withReferences(node: ts.Node): ts.Node {
  if (!ts.isInterfaceDeclaration(node)) return node
  const members = node.members.map((member) => {
    const type = isSchemas(member) ? member.type : undefined
    if (!type || !ts.isTypeLiteralNode(type)) return member

    const references = type.members.filter(ts.isPropertySignature).map((schema) => {
      const reference = factory.createTypeReferenceNode(readName(schema))
      return factory.createPropertySignature(undefined, schema.name, undefined, reference)
    })
    const named = factory.createTypeLiteralNode(references)
    return factory.createPropertySignature(undefined, 'schemas', undefined, named)
  })
  return factory.updateInterfaceDeclaration(
    node,
    node.modifiers,
    node.name,
    node.typeParameters,
    node.heritageClauses,
    members,
  )
}

/** A node in which `components["schemas"]["Transfer"]` is replaced by `Transfer` everywhere. */
function withNames(node: ts.Node, isSchema: (name: string | undefined) => boolean): ts.Node {
  const { transformed } = ts.transform(node, [
    (context) => (root) => {
      const visit = (inner: ts.Node): ts.Node => {
        const name = readSchemaName(inner)
        if (name !== undefined && isSchema(name)) return factory.createTypeReferenceNode(name)
        return ts.visitEachChild(inner, visit, context)
      }
      return visit(root)
    },
  ])
  return transformed[0] ?? node
}

/** `Transfer` for `components["schemas"]["Transfer"]`; undefined for any other node. */
function readSchemaName(node: ts.Node): string | undefined {
  const name = readIndex(node)
  if (name === undefined || !ts.isIndexedAccessTypeNode(node)) return undefined

  const { objectType } = node
  if (readIndex(objectType) !== 'schemas' || !ts.isIndexedAccessTypeNode(objectType))
    return undefined

  const root = objectType.objectType
  const isComponents =
    ts.isTypeReferenceNode(root) &&
    ts.isIdentifier(root.typeName) &&
    root.typeName.text === 'components'
  return isComponents ? name : undefined
}

/** The name in brackets of an indexed access. */
function readIndex(node: ts.Node): string | undefined {
  if (!ts.isIndexedAccessTypeNode(node)) return undefined
  const { indexType } = node
  if (!ts.isLiteralTypeNode(indexType) || !ts.isStringLiteral(indexType.literal)) return undefined
  return indexType.literal.text
}
