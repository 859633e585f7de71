import ts from 'typescript'

const { factory } = ts

/**
 * Declares each schema under its own name, and uses that name wherever the generator wrote
 * `components["schemas"]["Transfer"]`. So editors and the compiler print `Transfer`.
 */
export function namedSchemas(nodes: readonly ts.Node[]): ts.Node[] {
  // The generator's own names of places would clash with those of schemas.
  const others = nodes.filter((node) => !isNameOfPlace(node))
  const schemas = others.flatMap(findSchemas)
  const names = new Set(schemas.map(readName))
  const declarations = schemas.map(createDeclaration)
  const named = [...others.map(withReferences), ...declarations]
  return named.map((node) => withNames(node, names))
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

/** The properties of `components.schemas`; none if this node does not declare them. */
function findSchemas(node: ts.Node): readonly ts.PropertySignature[] {
  if (!isComponents(node)) return []
  const type = node.members.find(isSchemas)?.type
  if (!type || !ts.isTypeLiteralNode(type)) return []
  return type.members.filter(ts.isPropertySignature)
}

function isComponents(node: ts.Node): node is ts.InterfaceDeclaration {
  return ts.isInterfaceDeclaration(node) && node.name.text === 'components'
}

function isSchemas(member: ts.TypeElement): member is ts.PropertySignature {
  return ts.isPropertySignature(member) && readName(member) === 'schemas'
}

function readName({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : ''
}

/** `export type Transfer = …`, with the description of the schema. */
function createDeclaration(schema: ts.PropertySignature): ts.Node {
  const type = schema.type ?? factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword)
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]
  const typeParameters = undefined
  const declaration = factory.createTypeAliasDeclaration(
    modifiers,
    readName(schema),
    typeParameters,
    type,
  )
  return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(schema))
}

/**
 * The interface `components` in which each schema is only named: `Transfer: Transfer`. Other nodes
 * stay as they are.
 */
function withReferences(node: ts.Node): ts.Node {
  if (!isComponents(node)) return node

  const references = findSchemas(node).map((schema) => {
    const reference = factory.createTypeReferenceNode(readName(schema))
    return createProperty(schema.name, reference)
  })
  const schemas = createProperty('schemas', factory.createTypeLiteralNode(references))
  const members = node.members.map((member) => (isSchemas(member) ? schemas : member))
  return factory.updateInterfaceDeclaration(
    node,
    node.modifiers,
    node.name,
    node.typeParameters,
    node.heritageClauses,
    members,
  )
}

function createProperty(name: string | ts.PropertyName, type: ts.TypeNode): ts.PropertySignature {
  const modifiers = undefined
  const questionToken = undefined
  return factory.createPropertySignature(modifiers, name, questionToken, type)
}

/**
 * A node in which `components["schemas"]["Transfer"]` is replaced by `Transfer` everywhere.
 *
 * @param names The names of all schemas.
 */
function withNames(node: ts.Node, names: ReadonlySet<string>): ts.Node {
  const { transformed } = ts.transform(node, [
    (context) => (root) => {
      const visit = (inner: ts.Node): ts.Node => {
        const name = readSchemaName(inner)
        if (name !== undefined && names.has(name)) return factory.createTypeReferenceNode(name)
        return ts.visitEachChild(inner, visit, context)
      }
      return visit(root)
    },
  ])
  return transformed[0] ?? node
}

/** `Transfer` for `components["schemas"]["Transfer"]`; undefined for any other node. */
function readSchemaName(node: ts.Node): string | undefined {
  const access = readAccess(node)
  const outerAccess = access && readAccess(access.object)
  if (outerAccess?.name !== 'schemas') return undefined

  const root = outerAccess.object
  if (!ts.isTypeReferenceNode(root) || !ts.isIdentifier(root.typeName)) return undefined
  return root.typeName.text === 'components' ? access?.name : undefined
}

/** Of an indexed access such as `Thing["name"]`, the type `Thing` and the name in brackets. */
function readAccess(node: ts.Node): { object: ts.Node; name: string } | undefined {
  if (!ts.isIndexedAccessTypeNode(node)) return undefined
  const { objectType, indexType } = node
  if (!ts.isLiteralTypeNode(indexType) || !ts.isStringLiteral(indexType.literal)) return undefined
  return { object: objectType, name: indexType.literal.text }
}
