import sys

# 貸出の記録
for line in sys.stdin:
    print("{\"type\": \"ok\"}")
