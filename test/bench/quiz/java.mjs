// Questions of `npm run bench -- quiz` about repositories in Java; quiz.mjs says what the facts mean.
const J = 'src/main/java/com/zaxxer/hikari';
const T = 'src/test/java/com/zaxxer/hikari';
const O = 'src/main/java/org/json';
const U = 'src/test/java/org/json/junit';

export default [
  {
    repository: 'brettwooldridge/HikariCP',
    revision: '604d7d5838e96afbbdd4e19eedab7497cf368eb6',
    language: 'java',
    questions: [
      {
        kind: 'uses',
        hard: 'static import',
        ask: 'graph references plusMillis',
        uses: [`${J}/metrics/PoolStats.java:108`, `${J}/pool/HikariPool.java:787,808,815`],
      },
      {
        kind: 'uses',
        hard: 'static import of all',
        ask: 'graph references quietlySleep',
        uses: [
          `${J}/pool/HikariPool.java:129,585,749,754`,
          `${T}/metrics/prometheus/HikariCPCollectorTest.java:107`,
          `${T}/mocks/StubConnection.java:73,81`,
          `${T}/mocks/StubStatement.java:181`,
        ],
      },
      {
        kind: 'uses',
        hard: 'members of one name',
        ask: 'graph references UtilityElf.getTransactionIsolation',
        uses: [`${J}/pool/PoolBase.java:102`, `${T}/pool/ConnectionStateTest.java:91`, `${T}/pool/MiscTest.java:78`],
        not: [`${J}/pool/PoolBase.java:483`, `${J}/pool/ProxyConnection.java:444`, `${T}/pool/TestStates.java:62`],
      },
      {
        kind: 'uses',
        hard: 'members of one name',
        ask: 'graph references HikariPool.evictConnection',
        uses: [`${J}/HikariDataSource.java:332`],
        not: [`${T}/pool/TestConnections.java:350,451`],
      },
      {
        kind: 'uses',
        hard: 'members of one name',
        ask: 'graph references HikariDataSource.evictConnection',
        uses: [`${T}/pool/TestConnections.java:350,451`, `${T}/pool/ConnectionRaceConditionTest.java:74`],
        not: [`${J}/HikariDataSource.java:332`],
      },
      {
        kind: 'uses',
        hard: 'members of one name',
        ask: 'graph references HikariPool.closeConnection',
        uses: [`${J}/pool/HikariPool.java:170,429,622,828`, `${J}/pool/PoolEntry.java:126`],
        not: [`${T}/pool/TestHibernate.java:43`],
      },
      {
        kind: 'uses',
        hard: 'dynamic dispatch',
        ask: 'graph references IMetricsTracker.recordConnectionTimeout',
        uses: [`${J}/pool/PoolBase.java:744`],
      },
      {
        kind: 'uses',
        hard: 'default method of an interface',
        ask: 'graph references SQLExceptionOverride.adjudicate',
        uses: [`${J}/pool/ProxyConnection.java:163`],
      },
      {
        kind: 'uses',
        ask: 'graph references registerHealthChecks',
        uses: [`${J}/pool/HikariPool.java:322`],
      },
      { kind: 'dead', hard: 'named in a manifest', ask: 'graph unused --explain JavassistProxyFactory', dead: 'no' },
      {
        kind: 'dead',
        hard: 'run by a framework',
        ask: 'graph unused --explain HikariJNDIFactory.getObjectInstance',
        dead: 'no',
      },
      { kind: 'dead', hard: 'enumeration by valueOf', ask: 'graph unused --explain IsolationLevel', dead: 'no' },
      {
        kind: 'breaks',
        hard: 'static import',
        ask: 'graph impact UtilityElf.createInstance',
        affects: [`${J}/pool/PoolBase.java:PoolBase.initializeDataSource`],
      },
      {
        kind: 'breaks',
        hard: 'dynamic dispatch',
        ask: 'graph impact MicrometerMetricsTracker.recordConnectionTimeout',
        risk: 'not low',
      },
      { kind: 'tests', ask: 'graph impact UtilityElf.createInstance', tests: [`${T}/pool/MiscTest.java`] },
      {
        kind: 'tests',
        ask: 'graph impact HikariDataSource.evictConnection',
        tests: [`${T}/pool/TestConnections.java`, `${T}/pool/ConnectionRaceConditionTest.java`],
      },
      { kind: 'changed', ask: 'history HikariConfig.getCredentials', event: { type: 'appeared', commit: 'd43c272f' } },
      {
        kind: 'changed',
        ask: 'diff HikariCP-5.1.0..HikariCP-6.0.0',
        change: { path: `${J}/util/Credentials.java`, symbol: 'Credentials', change: 'added' },
      },
    ],
  },
  {
    repository: 'stleary/JSON-java',
    revision: '1795e8cf26229229e7ab6fe4aeab0f51ffecda5a',
    language: 'java',
    questions: [
      {
        kind: 'uses',
        ask: 'graph references XML.mustEscape',
        uses: [`${O}/XML.java:145`, `${O}/XMLTokener.java:170`],
      },
      {
        kind: 'uses',
        hard: 'members of one name',
        ask: 'graph references JSONObject.isDecimalNotation',
        uses: [`${O}/JSONObject.java:1509,2841`],
        not: [`${O}/XML.java:543`],
      },
      {
        kind: 'uses',
        hard: 'members of one name',
        ask: 'graph references XML.isDecimalNotation',
        uses: [`${O}/XML.java:543`],
        not: [`${O}/JSONObject.java:1509,2841`],
      },
      {
        kind: 'uses',
        hard: 'overloads',
        ask: 'graph references CDL.rowToString',
        uses: [`${O}/CDL.java:168,399,436`],
      },
      {
        kind: 'uses',
        hard: 'members of one name',
        ask: 'graph references Cookie.escape',
        uses: [`${O}/Cookie.java:158,160,171,176,178`, `${O}/CookieList.java:66,68`],
        not: [`${O}/JSONML.java:558,575`],
      },
      {
        kind: 'uses',
        hard: 'members of one name',
        ask: 'graph references XML.escape',
        uses: [`${O}/JSONML.java:558,575,578,599,640,643`],
        not: [`${O}/CookieList.java:66,68`],
      },
      {
        kind: 'uses',
        hard: 'members of one name',
        ask: 'graph references JSONPointer.unescape',
        uses: [`${O}/JSONPointer.java:159,163,206`],
        not: [`${O}/Cookie.java:85,94`],
      },
      {
        kind: 'uses',
        hard: 'member of a library of the same name',
        ask: 'graph references JSONObject.getAnnotation',
        uses: [`${O}/JSONObject.java:2030,2168,2181`],
        not: [`${O}/JSONObject.java:2155`],
      },
      {
        kind: 'uses',
        hard: 'overrides',
        ask: 'graph references ParserConfiguration.withKeepStrings',
        uses: [`${O}/JSONMLParserConfiguration.java:61`, `${U}/JSONParserConfigurationTest.java:51`],
      },
      {
        kind: 'uses',
        hard: 'overrides',
        ask: 'graph references JSONParserConfiguration.clone',
        uses: [`${O}/JSONParserConfiguration.java:56,71,86,115`],
        not: [`${O}/XMLParserConfiguration.java:226,243`],
      },
      {
        kind: 'uses',
        ask: 'graph references JSONObject.testValidity',
        uses: [
          `${O}/JSONArray.java:1334,1502`,
          `${O}/JSONObject.java:395,613,645,1167,1965,2396`,
          `${U}/JSONObjectTest.java:2270,2281`,
        ],
      },
      { kind: 'dead', hard: 'constructor by reflection', ask: 'graph unused --explain CustomClassI', dead: 'no' },
      {
        kind: 'dead',
        hard: 'overloads',
        ask: 'graph unused --explain JSONArray.wrongValueFormatException',
        dead: 'no',
      },
      {
        kind: 'breaks',
        ask: 'graph impact StringBuilderWriter',
        affects: [`${O}/JSONObject.java:JSONObject.quote`],
      },
      {
        kind: 'breaks',
        hard: 'overloads',
        ask: 'graph impact JSONObject.objectToBigDecimal',
        affects: [`${O}/JSONArray.java:JSONArray.getBigDecimal`, `${O}/JSONObject.java:JSONObject.isNumberSimilar`],
      },
      { kind: 'tests', ask: 'graph impact CDL.appendQuotedValue', tests: [`${U}/CDLTest.java`] },
      { kind: 'tests', ask: 'graph impact Property.toProperties', tests: [`${U}/PropertyTest.java`] },
      {
        kind: 'changed',
        ask: 'diff 20251224..20260522',
        change: { path: `${O}/JSONML.java`, symbol: 'JSONML.toJSONArraySafe', change: 'added' },
      },
      {
        kind: 'changed',
        ask: 'diff 20251224..20260522',
        change: { path: `${O}/XML.java`, symbol: 'XML.mustEscape', change: 'changed' },
      },
    ],
  },
];
