/** Topics by their names: what is published leads to what listens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Project, requestsOf } from '../../graph/link/project.js';
import { relationLines } from '../relations-lines.js';

test('requests: what is published to a topic by its name leads to what subscribes to it', () => {
  assert.deepEqual(
    requestsOf({
      'bus.ts': [
        ...["export function start(broker) { broker.subscribe('orders.created', onOrder); }", 'function onOrder() {}'],
        ...[
          "export function order(broker) { broker.publish('orders.created', {}); broker.publish('orders.gone', {}); }",
          '',
        ],
      ].join('\n'),
      'Bills.java':
        'class Bills {\n  @KafkaListener(topics = "bill-paid")\n  void paid() {}\n  void pay() { kafkaTemplate.send("bill-paid", 1); }\n}\n',
    }),
    ['Bills.java:Bills.pay -> Bills.java:Bills.paid', 'bus.ts:order -> bus.ts:onOrder', 'bus.ts:order -> ?'],
  );
});

const lines = (...all: string[]) => `${all.join('\n')}\n`;

test('topics: what is published under a name leads to what listens to it, in each library', () => {
  const led = (project: Project) => requestsOf(project).map((line) => line.replace(/^.* -> /, ''));
  assert.deepEqual(
    led({
      'p.js': lines(
        "producer.send({ topic: 'orders', messages: [] });\nchannel.publish('shop', 'mail.sent', b);",
        "const mails = new Queue('mail');\nexport const go = () => mails.add('welcome', {});\nbus.emit('cart:added', 1);",
      ),
      'c.js': lines(
        "import { Worker } from 'bullmq';",
        "export const listen = () => consumer.subscribe({ topics: ['orders'] });\nexport function work() { return new Worker('mail', send); }",
        "channel.consume('mail.sent', sent);\nbus.on('cart:added', added);\nfunction send() {}\nfunction sent() {}\nfunction added() {}",
      ),
    }),
    ['c.js:listen', 'c.js:sent', 'c.js:added', 'c.js:send'],
  );
  assert.deepEqual(
    led({
      'a.ts': "@Processor('audio')\nexport class Audio { @Process() run(job) {} }\n",
      'b.ts':
        "class S { constructor(@InjectQueue('audio') private audio: Queue) {} go() { this.audio.add('x', {}); } }\n",
    }),
    ['a.ts:Audio'],
  );
  assert.deepEqual(
    led({
      't.py': lines(
        '@shared_task(name="mail.send")\ndef send_mail(x): ...\n@broker.subscriber("orders")\nasync def ordered(m): ...',
        "channel.basic_consume(queue='mail_queue', on_message_callback=on_mail)\ndef on_mail(ch): ...",
      ),
      'c.py': lines(
        'def a(): current_app.send_task("mail.send", args=[1])',
        "def b(): channel.basic_publish(exchange='', routing_key='mail_queue', body=x)",
      ),
    }),
    ['t.py:send_mail', 't.py:on_mail'],
  );
  assert.deepEqual(
    led({
      'P.java': lines(
        'class P {\n  static final String TOPIC = "orders.created";\n  void a() { kafkaTemplate.send(TOPIC, x); rabbitTemplate.convertAndSend("shop", "order.key", m); }\n}',
        'class L {\n  @KafkaListener(topics = "orders.created") void on(String s) {}\n  @RabbitListener(queues = "order.key") void key(String s) {}\n}',
      ),
    }),
    ['P.java:L.on', 'P.java:L.key'],
  );
});

test('topics: a constant of another file names the same one at both ends, in each language', () => {
  const led = (project: Project) => requestsOf(project).map((line) => line.replace(/^.*:(\S+) .*-> .*:/, '$1 -> '));
  assert.deepEqual(
    led({
      'topics.ts': `export const Topics = { ORDER: 'order.created', PAID: 'order.paid' } as const;
export enum Events { Saved = 'cart.saved', Lost = 'cart.lost' }
export const MAIL_QUEUE = 'mail';
`,
      'a.ts': `import { Events, MAIL_QUEUE, Topics } from './topics';
export class A {
  order() { this.producer.send({ topic: Topics.ORDER, messages: [] }); }
  paid() { this.client.emit(Topics.PAID, {}); }
  mail() { this.channel.sendToQueue(MAIL_QUEUE, Buffer.from('')); }
  other() { this.client.emit(Events.Lost, {}); this.client.emit(topic, {}); }
}
`,
      'b.ts': `import { Events, MAIL_QUEUE, Topics } from './topics';
export class B {
  @EventPattern(Topics.ORDER) onOrder() {}
  @EventPattern(Topics.PAID) onPaid() {}
  @EventPattern(Events.Saved) onSaved() {}
  start() { this.channel.consume(MAIL_QUEUE, this.onMail); }
  onMail() {}
}
`,
    }),
    ['A.order -> B.onOrder', 'A.paid -> B.onPaid', 'A.mail -> B.onMail', 'a.ts:A.other -> ?'],
  );
  assert.deepEqual(
    led({
      'topics.py': 'class Topics:\n    ORDER = "order.created"\nMAIL_SENT = "mail.sent"\n',
      'a.py':
        'from topics import Topics, MAIL_SENT\nclass A:\n    def go(self):\n        self.producer.send(Topics.ORDER, b"")\n    def mail(self):\n        self.redis.publish(MAIL_SENT, "x")\n',
      'b.py':
        'from topics import Topics, MAIL_SENT\nclass B:\n    def listen(self):\n        self.consumer.subscribe(Topics.ORDER, self.on_order)\n        self.pubsub.subscribe(MAIL_SENT, self.on_mail)\n    def on_order(self): pass\n    def on_mail(self): pass\n',
    }),
    ['A.go -> B.on_order', 'A.mail -> B.on_mail'],
  );
  assert.deepEqual(
    led({
      'Topics.java': 'package a;\npublic final class Topics { public static final String ORDER = "order.created"; }\n',
      'P.java': 'package a;\nclass P { void go() { kafkaTemplate.send(Topics.ORDER, "x"); } }\n',
      'L.java':
        'package a;\nclass L { @KafkaListener(id = "one", topics = Topics.ORDER, groupId = "g") void on(String m) {} }\n',
    }),
    ['P.go -> L.on'],
  );
  assert.deepEqual(
    led({
      'a.go':
        'package a\nconst OrderCreatedTopic = "order.created"\nfunc On(nc *Conn) { nc.Subscribe(OrderCreatedTopic, handle) }\nfunc handle() {}\n',
      'b.go':
        'package a\nfunc Go(nc *Conn) { nc.Publish(OrderCreatedTopic, nil) }\nfunc None(nc *Conn) { nc.Publish(name, nil) }\n',
    }),
    ['Go -> handle'],
  );
  assert.deepEqual(
    led({
      'Topics.php': "<?php\nnamespace A;\nfinal class Topics { const ORDER = 'order.created'; }\n",
      'P.php': "<?php\nnamespace A;\nclass P { function go() { $this->producer->publish(Topics::ORDER, 'x'); } }\n",
      'L.php':
        "<?php\nnamespace A;\nclass L { function on() { $this->consumer->subscribe(Topics::ORDER, [$this, 'handle']); } function handle() {} }\n",
    }),
    ['P.go -> L.handle'],
  );
});

test('topics: lists, bindings, constants and names of one word of Spring', () => {
  const source = `class L {
  static final String PAID = "bills.paid";
  @KafkaListener(topics = "orders") void one(String s) {}
  @KafkaListener(topics = {"first.x", "second.x"}, groupId = "g") void several(String s) {}
  @KafkaListener(topics = PAID) void held(String s) {}
  @RabbitListener(bindings = @QueueBinding(value = @Queue(value = "q"), exchange = @Exchange("shop"), key = "k")) void bound(String s) {}
  @SqsListener("jobs") void job(String s) {}
  @SqsListener(queueNames = "others") void other(String s) {}
  void go() {
    kafkaTemplate.send("orders", x);
    producer.send(new ProducerRecord<>("orders", k, v));
    kafkaTemplate.send("second.x", x);
    kafkaTemplate.send("bills.paid", x);
    rabbitTemplate.convertAndSend("q", x);
    rabbitTemplate.convertAndSend("shop", "k", x);
    sqsTemplate.send("jobs", x);
    queueMessagingTemplate.convertAndSend("others", x);
    mailer.send("orders", x);
  }
}
`;
  assert.deepEqual(
    requestsOf({ 'L.java': source }).map((line) => line.replace(/^.*:L\./, '')),
    ['one', 'one', 'several', 'held', 'bound', 'bound', 'job', 'other'],
  );
});

test('topics: patterns of NestJS are names and objects, and tasks of Celery are sent by any application', () => {
  const nest = `import { ClientProxy } from '@nestjs/microservices';
export class C {
  @EventPattern('created') created() {}
  @MessagePattern({ role: 'math', cmd: 'sum' }) sum() {}
}
export class S {
  constructor(private readonly client: ClientProxy) {}
  create() { this.client.emit('created', {}); }
  add() { return this.client.send<number>({ role: 'math', cmd: 'sum' }, [1]); }
  none() { this.mailer.send('created', {}); }
}
`;
  const tasks = '@app.task(bind=True, name="mail")\ndef mail(self): ...\n';
  const sender = 'def go():\n    celery_app.send_task("mail", args=[1])\n';
  assert.deepEqual(requestsOf({ 'c.ts': nest, 't.py': tasks, 'c.py': sender }), [
    'c.py:go -> t.py:mail',
    'c.ts:S.create -> c.ts:C.created',
    'c.ts:S.add -> c.ts:C.sum',
  ]);
});

test('a container gives a class for a token: a text, a name, or the last part of a path', () => {
  const stated = (source: string) =>
    relationLines(source, 'typescript').references.flatMap(
      (line) => /route (\S+) "PROVIDE =(.*)"/.exec(line)?.slice(1) ?? [],
    );
  assert.deepEqual(stated("const p = [{ provide: 'store', useClass: FileStore }];"), ['FileStore', 'store']);
  assert.deepEqual(stated('const p = [{ provide: STORE, useClass: FileStore }];'), ['FileStore', 'STORE']);
  assert.deepEqual(stated('const p = [{ provide: tokens.STORE, useClass: FileStore }];'), ['FileStore', 'STORE']);
  assert.deepEqual(stated("container.register('Store', { useClass: FileStore });"), ['FileStore', 'Store']);
  assert.deepEqual(stated('const p = [{ provide: STORE, multi: true }];'), []);
});
