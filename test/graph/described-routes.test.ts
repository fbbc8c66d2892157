/** Routes that descriptions name: fields of GraphQL, procedures of gRPC, operations of OpenAPI. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf, graphOf, nodeText, type Project, requestsOf } from './link/project.js';

const lines = (...all: string[]) => `${all.join('\n')}\n`;

const MODULE = 'module example.com/shop\n\ngo 1.21\n';

test('GraphQL: root fields are answered by resolvers of every kind, and asked for by documents and templates', () => {
  const ask = {
    'q.ts': 'export const GET = gql`\n  query Get($id: ID!) { mine: cart(id: $id) { id carts { id } } }\n`;\n',
  };
  const answered = (answer: Project) =>
    requestsOf({ ...answer, ...ask }).map((line) => line.replace(/^q.ts:GET -> /, ''));
  assert.deepEqual(
    answered({
      'r.ts': 'export const all = { Query: { cart: async (_, a) => find(a), carts() {} } };\nfunction find() {}\n',
    }),
    ['r.ts:all.GQL /Query/cart'],
  );
  assert.deepEqual(
    answered({
      'n.ts':
        "@Resolver(() => Cart)\nclass R {\n  @Query(() => Cart, { name: 'cart' }) get() {}\n  @Query() other() {}\n}\n",
    }),
    ['n.ts:R.get'],
  );
  assert.deepEqual(
    answered({
      'go.mod': MODULE,
      'g.go':
        'package g\ntype queryResolver struct{ *Resolver }\nfunc (r *queryResolver) Cart(id string) *Cart { return nil }\n',
    }),
    ['g.go:queryResolver.Cart'],
  );
  assert.deepEqual(answered({ 'p.py': 'class Query(graphene.ObjectType):\n    def resolve_cart(self, info): ...\n' }), [
    'p.py:Query.resolve_cart',
  ]);
  assert.deepEqual(
    answered({ 's.py': '@strawberry.type\nclass Query:\n    @strawberry.field\n    def cart(self) -> int: ...\n' }),
    ['s.py:Query.cart'],
  );
  const schema = { 's.graphql': 'type Query {\n  cart(id: ID!): Cart\n}\n' };
  assert.deepEqual(
    answered({
      ...schema,
      'r.rb': 'class Types::QueryType < Base\n  field :cart, Cart\n  def cart\n  end\n  def helper; end\nend\n',
    }),
    ['r.rb:Types.QueryType.cart'],
  );
  assert.deepEqual(
    requestsOf({
      ...schema,
      'ops.graphql': 'query L { cart { ...F } }\nfragment F on Cart { id }\n',
      'r.ts': 'const Query = { cart };\nfunction cart() {}\n',
    }),
    ['ops.graphql:L -> r.ts:cart'],
  );
});

test('GraphQL: fields of a root type in several parts, in classes of their own and by annotations are answered', () => {
  const fields = (project: Project) => answersOf(project).filter((line) => line.startsWith('GQL'));
  assert.deepEqual(
    fields({
      's.py': lines(
        'class CreateUser(graphene.Mutation):\n    def mutate(self, info): ...',
        'class Users(graphene.ObjectType):\n    def resolve_users(self, info): ...',
        'class Query(Users, graphene.ObjectType):\n    def resolve_me(self, info): ...',
        'class Mutation(graphene.ObjectType):\n    create_user = CreateUser.Field()',
        'query = QueryType()\n@query.field("cart")\ndef cart_of(_, info): ...',
      ),
    }).sort(),
    [
      ...['GQL /Mutation/createUser CreateUser.mutate', 'GQL /Query/cart cart_of', 'GQL /Query/me Query.resolve_me'],
      ...['GQL /Query/users Users.resolve_users'],
    ],
  );
  assert.deepEqual(
    fields({
      'q.rb': lines(
        'module Types\n  class QueryType < BaseObject\n    field :cart, CartType\n    field :all_items, resolver: Resolvers::Items',
        '    def cart\n    end\n    def helper\n    end\n  end\nend',
      ),
      'i.rb': 'module Resolvers\n  class Items < Base\n    def resolve\n    end\n  end\nend\n',
    }),
    ['GQL /Query/cart Types.QueryType.cart', 'GQL /Query/allItems Resolvers.Items.resolve'],
  );
  assert.deepEqual(
    fields({
      'Q.cs': lines(
        'using HotChocolate;\npublic class Query {\n  public Cart GetCart() => null;\n  private int Helper() => 1;\n}',
        '[ExtendObjectType(typeof(Mutation))]\npublic class More {\n  public async Task<Cart> AddCartAsync() => null;\n}',
        '[QueryType]\npublic static class Users {\n  public static User GetUser() => null;\n}',
      ),
      'Other.cs': 'public class Command {\n  public void Handle() {}\n}\n',
    }),
    ['GQL /Query/cart Query.GetCart', 'GQL /Mutation/addCart More.AddCartAsync', 'GQL /Query/user Users.GetUser'],
  );
  assert.deepEqual(fields({ 'Q.cs': 'public class Query {\n  public Cart GetCart() => null;\n}\n' }), []);
  assert.deepEqual(
    fields({
      'C.java':
        '@Controller\nclass C {\n  @QueryMapping public Book book() { return null; }\n  @DgsMutation public Book add() { return null; }\n}\n',
    }),
    ['GQL /Query/book C.book', 'GQL /Mutation/add C.add'],
  );
  assert.deepEqual(
    fields({
      'q.rs': 'pub struct QueryRoot;\n#[Object]\nimpl QueryRoot {\n    async fn cart_items(&self) -> i32 { 1 }\n}\n',
    }),
    ['GQL /Query/cartItems QueryRoot.cart_items'],
  );
  const parts = {
    'r.ts': lines(
      "const queries = { users: async () => [], user, other() {} };\nfunction user() {}\nconst posts: QueryResolvers['posts'] = async () => 1;",
      'const carts: MutationResolvers = { addCart: user };',
    ),
    'c.ts': 'const Q = gql`query { users { id } user { id } }`;\n',
  };
  assert.deepEqual(fields(parts).sort(), [
    ...['GQL /Mutation/addCart user', 'GQL /Query/posts GQL /Query/posts', 'GQL /Query/user user'],
    'GQL /Query/users queries.users',
  ]);
});

test('gRPC: a call of a stub leads to the method of the type that implements the service', () => {
  const proto = { 'a.proto': 'syntax = "proto3";\nservice CartService {\n  rpc GetCart(A) returns (B) {}\n}\n' };
  assert.deepEqual(
    requestsOf({
      ...proto,
      'go.mod': MODULE,
      'main.go': lines(
        'package main\nimport pb "example.com/shop/genproto"',
        'type server struct {\n\tpb.UnimplementedCartServiceServer\n}',
        'func (s *server) GetCart(c context.Context, r *pb.A) (*pb.B, error) { return nil, nil }',
        'func use() { c := pb.NewCartServiceClient(conn); c.GetCart(ctx, nil); c.Close() }',
        'func once() { pb.NewCartServiceClient(conn).GetCart(ctx, nil) }',
      ),
    }),
    ['main.go:use -> main.go:server.GetCart', 'main.go:once -> main.go:server.GetCart'],
  );
  assert.deepEqual(
    requestsOf({
      'I.java':
        'class I extends CartServiceGrpc.CartServiceImplBase {\n  public void getCart(R r, StreamObserver<C> o) {}\n}\n',
      'D.java':
        'class D { void x() { CartServiceGrpc.CartServiceBlockingStub stub = CartServiceGrpc.newBlockingStub(ch); stub.getCart(r); } }\n',
    }),
    ['D.java:D.x -> I.java:I.getCart'],
  );
  assert.deepEqual(
    requestsOf({
      'i.py': 'import cart_pb2_grpc\nclass I(cart_pb2_grpc.CartServiceServicer):\n    def GetCart(self, r, c): ...\n',
      'd.py':
        'import cart_pb2_grpc\ndef go():\n    stub = cart_pb2_grpc.CartServiceStub(channel)\n    return stub.GetCart(1)\n',
    }),
    ['d.py:go -> i.py:I.GetCart'],
  );
  assert.deepEqual(
    requestsOf({
      ...proto,
      'I.cs':
        'using Grpc.Core;\npublic class I : Shop.CartService.CartServiceBase {\n  public override Task<B> GetCart(A r, ServerCallContext c) { return null; }\n}\n',
      'U.cs':
        'using Grpc.Core;\npublic class U { private readonly CartService.CartServiceClient _c; async Task Go() { await _c.GetCartAsync(new A()); } }\n',
    }),
    ['U.cs:U.Go -> I.cs:I.GetCart'],
  );
  assert.deepEqual(
    requestsOf({
      's.js':
        'const grpc = require("@grpc/grpc-js");\nserver.addService(shop.CartService.service, { getCart });\nfunction getCart() {}\n',
      'c.js':
        'const grpc = require("@grpc/grpc-js");\nconst client = new shop.CartServiceClient("a:1");\nexport const go = () => client.getCart({});\n',
    }),
    ['c.js:go -> s.js:getCart'],
  );
});

test('gRPC: stubs of Rust, Ruby, Connect and NestJS lead to servers of theirs', () => {
  const proto = { 'a.proto': 'syntax = "proto3";\nservice CartService {\n  rpc GetCart(A) returns (B) {}\n}\n' };
  assert.deepEqual(
    requestsOf({
      ...proto,
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/s.rs':
        '#[tonic::async_trait]\nimpl CartService for Cart2 { async fn get_cart(&self, r: Request<A>) -> Result<B, Status> {} }\n',
      'src/c.rs': lines(
        'use tonic::Request;\nstruct W { client: CartServiceClient<Channel> }',
        'impl W { async fn held(&mut self) { self.client.get_cart(req).await; } }',
        'async fn go() { let mut client = CartServiceClient::connect("x").await?; client.get_cart(req).await?; }',
      ),
    }),
    ['src/c.rs:W.held -> src/s.rs:Cart2.get_cart', 'src/c.rs:go -> src/s.rs:Cart2.get_cart'],
  );
  assert.deepEqual(
    requestsOf({
      ...proto,
      's.rb': 'class CartServer < Shop::CartService::Service\n  def get_cart(req, _call)\n  end\nend\n',
      'c.rb': "def go\n  stub = Shop::CartService::Stub.new('x', :this)\n  stub.get_cart(1)\nend\n",
    }),
    ['c.rb:go -> s.rb:CartServer.get_cart'],
  );
  const typed = (server: string, client: string) => requestsOf({ ...proto, 's.ts': server, 'c.ts': client });
  assert.deepEqual(
    typed(
      'export default (router: ConnectRouter) => router.service(CartService, { async getCart(req) {} });\n',
      "import { createClient } from '@connectrpc/connect';\nconst client = createClient(CartService, t);\nexport const go = () => client.getCart({});\n",
    ),
    ['c.ts:go -> s.ts:GRPC /CartService/GetCart'],
  );
  assert.deepEqual(
    typed(
      "@Controller()\nexport class C { @GrpcMethod('CartService') getCart() {} }\n",
      "import { ClientGrpc } from '@nestjs/microservices';\nexport class W { go() { this.carts = this.client.getService<CartService>('CartService'); return this.carts.getCart({}); } }\n",
    ),
    ['c.ts:W.go -> s.ts:C.getCart'],
  );
  const objects =
    'export const impl: CartServiceImplementation = { async getCart(r) {} };\nconst other: EventHandlers = { getCart() {} };\n';
  assert.deepEqual(answersOf({ ...proto, 's.ts': objects }), [
    'GRPC /CartService/GetCart impl.GRPC /CartService/GetCart',
  ]);
});

test('OpenAPI: an operation leads to the function of its id, unless code declares the path, and clients to what answers', () => {
  const document = {
    'openapi.yaml': lines(
      'openapi: 3.0.0',
      'paths:',
      '  /carts/{id}:',
      '    get:',
      '      operationId: getCart',
      '    put:',
      '      operationId: carts.cart_update',
      '  /orders:',
      '    post:',
      '      operationId: createOrder',
    ),
  };
  const project = {
    ...document,
    'server/h.go':
      'package server\nfunc (s *Server) GetCart(id string) {}\ntype Api interface {\n\tGetCart(id string)\n}\n',
    'server/carts.py': 'def cart_update(id): ...\n',
    'other/carts.ts': 'export class OrderClient { createOrder() {} cartUpdate() {} }\n',
    'server/app.js': "app.post('/api/v1/orders', add);\nfunction add() {}\n",
    'web/load.js': "import { api } from 'shop-client';\nexport const load = () => api.getCart({ id: 1 });\n",
  };
  assert.deepEqual(answersOf(project).sort(), [
    ...['GET /carts/{id} GetCart', 'POST /api/v1/orders add', 'PUT /carts/{id} cart_update'],
  ]);
  const graph = graphOf(project);
  const uses = Array.from({ length: graph.edgeCount }, (_, i) => graph.edge(i))
    .filter(({ tier, kind }) => tier === 'route' && kind === 'call')
    .map(({ from, to }) => `${nodeText(graph, from)} -> ${nodeText(graph, to)}`);
  assert.deepEqual(uses, ['web/load.js:load -> server/h.go:GetCart']);
});

test('OpenAPI: of several functions with the name of an operation, the one counts where most operations are answered', () => {
  const names = ['listCarts', 'getCart', 'addCart'];
  const routes = answersOf({
    'api.json': JSON.stringify({
      openapi: '3.0.0',
      paths: Object.fromEntries(names.map((id) => [`/${id}`, { get: { operationId: id } }])),
    }),
    'handler/carts.py': 'def list_carts(): ...\ndef get_cart(): ...\ndef add_cart(): ...\n',
    'model/carts.py': 'def get_cart(): ...\n',
  });
  assert.deepEqual(routes.sort(), ['GET /addCart add_cart', 'GET /getCart get_cart', 'GET /listCarts list_carts']);
});
