// Questions in other words than the code's, for `npm run bench -- ranking --paraphrases DIR`. The places were read before anything was asked.
// `where`: question, the lines that answer it, and the same question in other languages. `fixes`: commits; their subjects are asked, without the
// history, and right is a file that they changed. `messages`: lines of code; the text there is asked as a user would see it. `traces`: what a runtime
// prints. Subjects and messages are read from the repository when they are asked: nothing of theirs is here. Half A is for choosing, half B for judging.

export const QUESTIONS = [
  {
    repository: 'casey/just',
    revision: '4f41f609278edb6f1024e3dd7a9912946e1e7bc3',
    language: 'rust',
    half: 'A',
    where: [
      {
        question: 'when somebody misspells a command, propose the closest one',
        at: 'src/justfile.rs:66-98',
        de: 'wenn sich jemand bei einem Befehl vertippt, den ähnlichsten vorschlagen',
        fr: 'quand quelqu’un se trompe de commande, proposer la plus proche',
      },
      {
        question: 'ask the person yes or no before going on',
        at: 'src/recipe.rs:101-130',
        es: 'pedir confirmación a la persona antes de continuar',
        ru: 'спросить у пользователя подтверждение перед выполнением',
      },
      {
        question: 'secrets kept in a hidden file are put into the variables of the child',
        at: 'src/load_dotenv.rs:3-40',
        pt: 'onde as variáveis de um arquivo oculto são carregadas no ambiente',
        ko: '숨김 파일의 변수를 환경에 불러오는 곳',
      },
      { question: 'climb the folders upwards until a build description is found', at: 'src/search.rs:246-290' },
    ],
    fixes: ['5c9e0c7a', '259cfc08', '28760954', 'caa961eb'],
    messages: ['src/compile_error.rs:167', 'src/error.rs:1047'],
    traces: ["thread 'main' panicked at src/recipe.rs:110:9:\nexplicit panic"],
  },
  {
    repository: 'tmux/tmux',
    revision: 'c1f947a3c5bc72a40c32dead736f84c4628791ec',
    language: 'c',
    half: 'B',
    where: [
      {
        question: 'reduce a 24 bit shade to what a palette of 256 allows',
        at: 'colour.c:137-190',
        it: 'ridurre un colore a 24 bit alla tavolozza di 256',
        zh: '把24位颜色转换成最接近的256色',
      },
      {
        question: 'tell the user that a program in the background beeped',
        at: 'alerts.c:183-220',
        ja: 'バックグラウンドのウィンドウでベルが鳴ったことを知らせる処理',
        de: 'dem Benutzer melden, dass ein Fenster im Hintergrund geklingelt hat',
      },
      { question: 'guess which terminal is meant if no target is given', at: 'cmd-find.c:113-160' },
      {
        question: 'hold output back from a slow consumer that cannot keep up',
        at: 'control.c:379-395',
        fr: 'suspendre la sortie quand le client est trop lent',
        es: 'pausar la salida cuando el cliente es demasiado lento',
      },
    ],
    fixes: ['50d0348b6', '4714f478f', 'd384557b6'],
    messages: ['cmd-new-session.c:138', 'cmd-list-buffers.c:64'],
    traces: ['Program received signal SIGSEGV\n#0  0x0000555 in ?? () at alerts.c:190'],
  },
  {
    repository: 'benoitc/gunicorn',
    revision: '65ac1a3a4c0aa00960968c720d6e6bd2ac32f1b9',
    language: 'python',
    half: 'A',
    where: [
      {
        question: 'shoot children that hang and give no sign of life',
        at: 'gunicorn/arbiter.py:604-624',
        pt: 'encerrar os processos que travam e não respondem',
        it: 'terminare i processi figli che non rispondono più',
      },
      {
        question: 'swap the running binary without dropping connections',
        at: 'gunicorn/arbiter.py:497-535',
        ko: '연결을 끊지 않고 실행 중인 프로그램을 새 버전으로 다시 시작',
        ja: '接続を切らずに実行中のプロセスを新しいバイナリに置き換える',
      },
      { question: 'let go of a renamed file so that rotation works', at: 'gunicorn/glogging.py:390-410' },
      {
        question: 'turn the name of an account into its number',
        at: 'gunicorn/config.py:531-545',
        ru: 'преобразовать имя пользователя в числовой идентификатор',
        zh: '把用户名转换成数字标识',
      },
    ],
    fixes: ['b9f6e1d9', '7dcf0e23', '85f5652e', '9bc5891b'],
    messages: ['gunicorn/arbiter.py:776', 'gunicorn/arbiter.py:758'],
    traces: ['Traceback (most recent call last):\n  File "/srv/app/gunicorn/config.py", line 540, in f\nKeyError'],
  },
  {
    repository: 'jekyll/jekyll',
    revision: '202df571314ba1d18e9fccd81d12aaad4a703c38',
    language: 'ruby',
    half: 'B',
    where: [
      {
        question: 'delete leftovers of an earlier run that nothing produces any more',
        at: 'lib/jekyll/cleaner.rb:14-40',
        de: 'veraltete Dateien eines früheren Laufs löschen',
        pt: 'apagar arquivos obsoletos de uma geração anterior',
      },
      {
        question: 'how long is an article, also in Chinese',
        at: 'lib/jekyll/filters.rb:124-150',
        zh: '统计文章的字数，包括中文',
        fr: 'compter les mots d’un article, aussi en chinois',
      },
      { question: 'links that lead out of the project are refused', at: 'lib/jekyll/entry_filter.rb:84-96' },
      {
        question: 'teaser: cut the first paragraph off a post',
        at: 'lib/jekyll/excerpt.rb:100-200',
        es: 'extraer el primer párrafo de una entrada como resumen',
        ko: '글의 첫 번째 문단을 요약으로 추출',
      },
    ],
    fixes: ['ec5b45cd7', 'ecd04badf', 'ed3f745b7'],
    messages: ['lib/jekyll/collection.rb:267', 'lib/jekyll/cache.rb:99'],
    traces: ["undefined method 'x' for nil\n\tfrom lib/jekyll/cleaner.rb:30:in 'cleanup!'"],
  },
  {
    repository: 'keepassxreboot/keepassxc',
    revision: '95bae8377c88f46fda565e09fee25d7ba684fe9e',
    language: 'cpp',
    half: 'A',
    where: [
      {
        question: 'throw old revisions of a record away when there are too many',
        at: 'src/core/Entry.cpp:843-880',
        ja: '多すぎる古い履歴を削除する',
        it: 'eliminare le versioni vecchie di una voce quando sono troppe',
      },
      {
        question: 'keep a spare copy of the vault before it is overwritten',
        at: 'src/core/Database.cpp:521-550',
        ru: 'создать резервную копию базы данных перед сохранением',
        de: 'eine Sicherungskopie der Datenbank anlegen, bevor sie überschrieben wird',
      },
      {
        question: 'what one side removed vanishes on the other when two vaults are synchronised',
        at: 'src/core/Merger.cpp:420-505',
      },
      {
        question: 'six digits from the clock as a second factor',
        at: 'src/core/Totp.cpp:213-260',
        fr: 'générer le code à usage unique à partir de l’heure',
        zh: '根据时间生成一次性验证码',
      },
    ],
    fixes: ['0941ff41b', 'b8564d5c2', '6a9ed2107', '12ee4a944'],
    messages: ['src/sshagent/OpenSSHKey.cpp:311', 'src/gui/osutils/nixutils/NixUtils.cpp:295'],
    traces: ['Thread 1 crashed\n  at /build/keepassxc/src/core/Merger.cpp:430'],
  },
  {
    repository: 'skylot/jadx',
    revision: '6b3116f0c42c2d34feee7babd26af93e6ed128bf',
    language: 'java',
    half: 'B',
    where: [
      {
        question: 'refuse archives that explode when they are unpacked',
        at: 'jadx-commons/jadx-zip/src/main/java/jadx/zip/security/JadxZipSecurity.java:93-115',
        ko: '압축을 풀면 크기가 폭증하는 압축 파일을 거부',
        es: 'rechazar archivos comprimidos que crecen demasiado al descomprimirse',
      },
      {
        question: 'put the body of a tiny helper in place of its call',
        at: 'jadx-core/src/main/java/jadx/core/dex/visitors/InlineMethods.java:84-140',
        pt: 'substituir a chamada de um método pelo corpo dele',
        ru: 'подставить тело метода вместо его вызова',
      },
      {
        question: 'may this text be used as a word of Java',
        at: 'jadx-core/src/main/java/jadx/core/deobf/NameMapper.java:81-95',
      },
      {
        question: 'each assignment of a local gets a version of its own',
        at: 'jadx-core/src/main/java/jadx/core/dex/visitors/ssa/SSATransform.java:122-190',
      },
    ],
    fixes: ['580f25faa', '3d36c93be', 'ef0c09ca5'],
    messages: [
      'jadx-gui/src/main/java/jadx/gui/ui/panel/FontPanel.java:67',
      'jadx-gui/src/main/java/jadx/gui/device/protocol/ADBDevice.java:184',
    ],
    traces: ['java.lang.NullPointerException\n\tat jadx.zip.security.A.isZipBomb(JadxZipSecurity.java:98)'],
  },
  {
    repository: 'tuskyapp/Tusky',
    revision: '43ae0bb4556392393a3d759ce42a93f3a003e83a',
    language: 'kotlin',
    half: 'A',
    where: [
      {
        question: 'collapse long posts at a sensible spot',
        at: 'app/src/main/java/com/keylesspalace/tusky/util/SmartLengthInputFilter.kt:30-110',
      },
      {
        question: 'shrink a photo until the server takes its bytes',
        at: 'app/src/main/java/com/keylesspalace/tusky/components/compose/ImageDownsizer.kt:38-100',
        ja: 'サーバーの上限に収まるまで画像を縮小する',
        it: 'ridurre un’immagine finché il server accetta la dimensione',
      },
      {
        question: 'how long ago something was, in short form such as 3h',
        at: 'app/src/main/java/com/keylesspalace/tusky/util/TimestampUtils.kt:33-80',
      },
      {
        question: 'sign off and wipe what belongs to this person',
        at: 'app/src/main/java/com/keylesspalace/tusky/usecase/LogoutUsecase.kt:25-60',
        de: 'abmelden und alle Daten des Kontos löschen',
        pt: 'sair da conta e apagar os dados do usuário',
      },
    ],
    fixes: ['224d7e44c', 'b52a5cdb4', '20cb3848e'],
    messages: [
      'app/src/main/java/com/keylesspalace/tusky/util/LinkHelper.kt:416',
      'app/src/main/java/com/keylesspalace/tusky/db/AccountManager.kt:176',
    ],
    traces: ['java.io.IOException\n\tat com.x.downsizeImage(ImageDownsizer.kt:60)'],
  },
  {
    repository: 'derailed/k9s',
    revision: '24cf4628541eca9e2979ae7294e0e91578e8357a',
    language: 'go',
    half: 'B',
    where: [
      {
        question: 'write big figures with separators',
        at: 'internal/render/helpers.go:61-70',
        ru: 'форматировать большие числа с разделителями',
        ja: '大きな数字を桁区切りで表示する',
      },
      {
        question: 'who still points at an object before it is deleted',
        at: 'internal/dao/cluster.go:58-110',
        it: 'trovare chi usa ancora una risorsa prima di eliminarla',
        ko: '리소스를 삭제하기 전에 참조하는 곳을 찾기',
      },
      { question: 'remember what was typed at the prompt before', at: 'internal/model/history.go:60-140' },
      {
        question: 'show hidden values in clear text in place of base64',
        at: 'internal/dao/secret.go:91-130',
        fr: 'afficher les secrets décodés en clair',
        zh: '以明文显示解码后的密钥',
      },
    ],
    fixes: ['52ba9834', 'ae9eba13', 'ef715241', '6cf7e122'],
    messages: ['internal/dao/svc.go:62', 'internal/port/pf.go:119'],
    traces: ['panic: runtime error\n\t/home/ci/src/k9s/internal/dao/secret.go:100 +0x1d'],
  },
];
