// Questions in plain words, each in four of nine other languages, by repository: for `npm run bench -- ranking --paraphrases DIR`, which asks them beside
// those of paraphrases-questions.mjs. They tell how much of an answer is lost by the language alone. Both were written before the dictionary was looked up.

export const PLAIN = {
  'casey/just': [
    {
      question: 'suggest a similar recipe for an unknown name',
      at: 'src/justfile.rs:66-98',
      de: 'ein ähnliches Rezept für einen unbekannten Namen vorschlagen',
      fr: 'proposer une recette semblable pour un nom inconnu',
      ja: '不明な名前に似たレシピを提案する',
      ru: 'предложить похожий рецепт для неизвестного имени',
    },
  ],
  'tmux/tmux': [
    {
      question: 'find the nearest of 256 colours for an RGB value',
      at: 'colour.c:137-190',
      de: 'die nächste von 256 Farben zu einem RGB-Wert finden',
      ja: 'RGB値に最も近い256色を見つける',
      pt: 'encontrar a cor mais próxima entre 256 para um valor RGB',
      ko: 'RGB 값에 가장 가까운 256색을 찾기',
    },
    {
      question: 'pause the output of a pane of a control client',
      at: 'control.c:379-395',
      es: 'pausar la salida de un panel de un cliente de control',
      fr: 'mettre en pause la sortie d’un panneau du client de contrôle',
      ru: 'приостановить вывод панели управляющего клиента',
      zh: '暂停控制客户端窗格的输出',
    },
  ],
  'benoitc/gunicorn': [
    {
      question: 'kill workers that exceed the timeout',
      at: 'gunicorn/arbiter.py:604-624',
      es: 'matar los workers que superan el tiempo de espera',
      ko: '제한 시간을 넘긴 워커를 종료한다',
      pt: 'matar os workers que excedem o tempo limite',
      zh: '终止超时的工作进程',
    },
    {
      question: 'reopen log files after rotation',
      at: 'gunicorn/glogging.py:390-410',
      it: 'riaprire i file di log dopo la rotazione',
      de: 'Logdateien nach der Rotation neu öffnen',
      ja: 'ローテーション後にログファイルを開き直す',
      ru: 'заново открыть файлы журнала после ротации',
    },
  ],
  'jekyll/jekyll': [
    {
      question: 'delete obsolete files from the destination',
      at: 'lib/jekyll/cleaner.rb:14-40',
      it: 'eliminare i file obsoleti dalla destinazione',
      de: 'veraltete Dateien aus dem Ziel löschen',
      ko: '대상 폴더에서 오래된 파일을 삭제한다',
      es: 'borrar archivos obsoletos del destino',
    },
    {
      question: 'count the words of a text, also Chinese characters',
      at: 'lib/jekyll/filters.rb:124-150',
      ja: 'テキストの単語数を数える、漢字も含む',
      fr: 'compter les mots d’un texte, y compris les caractères chinois',
      ru: 'посчитать слова текста, включая китайские символы',
      pt: 'contar as palavras de um texto, incluindo caracteres chineses',
    },
  ],
  'keepassxreboot/keepassxc': [
    {
      question: 'remove old history items of an entry beyond the maximum',
      at: 'src/core/Entry.cpp:843-880',
      es: 'eliminar elementos antiguos del historial de una entrada que superan el máximo',
      fr: 'supprimer les anciens éléments de l’historique d’une entrée au-delà du maximum',
      ko: '항목의 기록이 최대 개수를 넘으면 오래된 것을 삭제',
      zh: '条目的历史记录超过最大数量时删除旧的',
    },
    {
      question: 'copy the database file to a backup path',
      at: 'src/core/Database.cpp:521-550',
      pt: 'copiar o arquivo do banco de dados para um caminho de backup',
      it: 'copiare il file del database in un percorso di backup',
      de: 'die Datenbankdatei an einen Sicherungspfad kopieren',
      ja: 'データベースファイルをバックアップ先にコピーする',
    },
  ],
  'skylot/jadx': [
    {
      question: 'detect a zip bomb by its compressed and uncompressed size',
      at: 'jadx-commons/jadx-zip/src/main/java/jadx/zip/security/JadxZipSecurity.java:93-115',
      zh: '根据压缩前后大小检测zip炸弹',
      it: 'rilevare una zip bomb dalle dimensioni compressa e non compressa',
      de: 'eine Zip-Bombe an der komprimierten und unkomprimierten Größe erkennen',
      es: 'detectar una bomba zip por su tamaño comprimido y sin comprimir',
    },
  ],
  'tuskyapp/Tusky': [
    {
      question: 'reduce the image size below the limit',
      at: 'app/src/main/java/com/keylesspalace/tusky/components/compose/ImageDownsizer.kt:38-100',
      ru: 'уменьшить размер изображения ниже предела',
      es: 'reducir el tamaño de la imagen por debajo del límite',
      fr: 'réduire la taille de l’image sous la limite',
      ko: '이미지 크기를 제한 이하로 줄인다',
    },
  ],
  'derailed/k9s': [
    {
      question: 'decode the data of a secret in its description',
      at: 'internal/dao/secret.go:91-130',
      ko: '시크릿 설명의 데이터를 디코딩',
      ja: 'シークレットの説明にあるデータをデコードする',
      fr: 'décoder les données d’un secret dans sa description',
      ru: 'декодировать данные секрета в описании',
    },
  ],
  'beetbox/beets': [
    {
      question: 'remove empty directories and their empty parents',
      at: 'beets/util/__init__.py:307-351',
      zh: '删除空目录及其空的父目录',
      pt: 'remover diretórios vazios e seus pais vazios',
      it: 'rimuovere le directory vuote e quelle superiori vuote',
      ru: 'удалить пустые каталоги и пустые родительские',
    },
  ],
  'traccar/traccar': [
    {
      question: 'create an event when the speed limit of a device is exceeded',
      at: 'src/main/java/org/traccar/handler/events/OverspeedEventHandler.java:57-108',
      pt: 'criar um evento quando o limite de velocidade do dispositivo é excedido',
      zh: '设备超过速度限制时生成事件',
      it: 'creare un evento quando si supera il limite di velocità del dispositivo',
      ko: '장치가 제한 속도를 넘으면 이벤트를 만든다',
    },
  ],
  'Canop/broot': [
    {
      question: 'compute the size of a directory with several threads',
      at: 'src/file_sum/sum_computation.rs:66-241',
      de: 'die Größe eines Verzeichnisses mit mehreren Threads berechnen',
      fr: 'calculer la taille d’un répertoire avec plusieurs threads',
      ja: '複数のスレッドでディレクトリのサイズを計算する',
      ru: 'вычислить размер каталога в нескольких потоках',
    },
  ],
};
